/**
 * Bytes that are made when they are asked for, as the body of an answer; a reader that leaves ends their making, and
 * `onLeft` is called: a generator that never began does not run its own end.
 */
export function byteStream(
  bytes: AsyncGenerator<Uint8Array>,
  onLeft: () => Promise<void>,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await bytes.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
      async cancel() {
        await bytes.return(undefined);
        await onLeft();
      },
    },
    { highWaterMark: 0 },
  );
}
