/** Whether an error of the file system says that the disk, or the quota of this user, has no room left. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOSPC" || error.code === "EDQUOT");
}
