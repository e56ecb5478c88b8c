const FINAL = ["file_too_large", "file_not_allowed", "too_many_files", "key_reused"];

/** Whether the same file or message would get the same answer again, so that a retry is of no use. */
export const isFinalRefusal = ({ code }: { readonly code: string }): boolean => FINAL.includes(code);
