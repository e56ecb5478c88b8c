/**
 * The bytes of a body, read no further than the chunk that exceeds `limit`. `isWhole` is false if there were more bytes
 * than that.
 */
export async function readUpTo(
  body: AsyncIterable<Uint8Array> | null,
  limit: number,
): Promise<{ readonly bytes: Buffer; readonly isWhole: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > limit) break;
  }
  return { bytes: Buffer.concat(chunks, size), isWhole: size <= limit };
}
