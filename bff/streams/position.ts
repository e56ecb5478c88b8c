/** The last event of a conversation that a client has. */
export interface Position {
  readonly epoch: string;
  readonly seq: number;
}

const POSITION = /^([A-Za-z0-9_-]{1,64}):(0|[1-9]\d{0,14})$/;

/** Parses `EPOCH:SEQ`; undefined for any other form. */
export function parsePosition(lastEventId: string): Position | undefined {
  const [, epoch, seq] = lastEventId.match(POSITION) ?? [];
  return epoch === undefined || seq === undefined ? undefined : { epoch, seq: Number(seq) };
}

export function formatPosition(epoch: string, seq: number): string {
  return `${epoch}:${seq}`;
}
