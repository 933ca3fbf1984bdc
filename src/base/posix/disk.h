/*
 * disk.h - what io.c asks for that systems do each in its own way: bytes made
 * durable, and a file for one at a time. POSIX has half of it. A function that
 * is given a descriptor returns 0, or -1 and errno.
 */
#ifndef SS_BASE_POSIX_DISK_H
#define SS_BASE_POSIX_DISK_H

/* The file, or the folder, is on the disk and not in a cache of it. */
int ss_disk_sync(int fd);

/* The same for a file's bytes and its length; its dates may come later. */
int ss_disk_sync_bytes(int fd);

/*
 * The file is this descriptor's, until that and its copies are closed. Another
 * descriptor, of this process or of another, gets EWOULDBLOCK at once.
 */
int ss_disk_lock(int fd);

/* The flags of a descriptor that is asked what file it is, and nothing else. */
int ss_disk_ask_flags(void);

#endif
