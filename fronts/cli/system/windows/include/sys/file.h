/* file.h - flock is in system/windows/posix.h, which each file has. */
