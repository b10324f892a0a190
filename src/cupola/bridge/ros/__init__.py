"""What a world says and hears in ROS, whatever carries it: topics, messages, services, lock step."""
