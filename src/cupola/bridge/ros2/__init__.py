"""ROS 2 without ROS: its topics over DDS or Zenoh, under its own names: `cupola ros2`."""
