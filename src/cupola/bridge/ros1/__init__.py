"""ROS 1, through rospy: `cupola ros1`."""
