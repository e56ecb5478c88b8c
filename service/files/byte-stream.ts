/**
 * A response body whose bytes are produced on demand. When the reader leaves, the generator is stopped and `onLeft` is
 * called, because a generator that never started does not run its own `finally`.
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
