/** Where lines go. pino fits it. Fields are ids, codes, route templates and numbers: never text, tokens or queries. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
