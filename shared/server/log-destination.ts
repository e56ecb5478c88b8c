/**
 * Options of pino's destination for standard output. One write for several entries costs less than one for each; a crash
 * that leaves no time to flush loses at most the entries of the last 100 ms.
 */
export const LOG_DESTINATION = { fd: 1, sync: false, minLength: 4096, periodicFlush: 100 } as const;
