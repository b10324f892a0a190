"""What compiled code stands on: the compiler and its cache, memory of the loop, MuJoCo's functions, motion and air."""
