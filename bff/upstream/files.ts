import { createHash } from "node:crypto";
import { FILE_NAME_HEADER } from "../../shared/attachment.ts";
import { Failure } from "../../shared/errors.ts";
import { MAX_ATTACHMENT_BYTES } from "../../shared/limits.ts";
import type { Clock } from "../../shared/server/clock.ts";
import type { UpstreamAnswer } from "./transport.ts";

/** A file that comes in and goes on to the service. Its first bytes were checked; the rest streams through. */
export interface FileUpload {
  /** Percent-encoded, as the service takes it. */
  readonly fileName: string;
  /** An id created for this file: its idempotency key. */
  readonly key: string;
  /** As announced; undefined if it was not. */
  readonly size: number | undefined;
  /** Throws a Failure when the file is too large or breaks off. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * A file on its way to the service, hashed as it is sent: the answer must confirm these bytes. It can be sent only once;
 * a retry comes from its client.
 */
export function outgoingFile({ bytes, fileName, size: announced }: FileUpload) {
  const hash = createHash("sha256");
  let size = 0;
  let sent: { readonly size: number; readonly sha256: string } | undefined;
  return {
    bytes: (async function* () {
      for await (const chunk of bytes) {
        size += chunk.byteLength;
        hash.update(chunk);
        yield chunk;
      }
      sent = { size, sha256: hash.digest("hex") };
    })(),
    headers: {
      "content-type": "application/octet-stream",
      [FILE_NAME_HEADER]: fileName,
      ...(announced === undefined ? {} : { "content-length": String(announced) }),
    },
    /** Size and hash once all of it went out. Until then a slow call is its sender's fault, and not the service's. */
    sent: () => sent,
  };
}

/** How long a browser may take to read a file; one that does not read would otherwise hold two connections forever. */
const DOWNLOAD_MS = 130_000;

/** The bytes of an opened file for a browser, up to the size limit. The connection ends with its reader, or in time. */
export function bodyOf(file: UpstreamAnswer, clock: Pick<Clock, "after">): ReadableStream<Uint8Array> {
  const chunks = file.body[Symbol.asyncIterator]();
  let size = 0;
  let cancel = (): void => undefined;
  const leave = () => {
    cancel();
    file.discard();
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        cancel = clock.after(DOWNLOAD_MS, () => {
          file.discard();
          controller.error(new Failure("support_timeout", { cause: "a reader that does not read" }));
        });
      },
      async pull(controller) {
        const next = await chunks.next();
        if (next.done) {
          cancel();
          return controller.close();
        }
        size += next.value.byteLength;
        if (size > MAX_ATTACHMENT_BYTES) {
          leave();
          throw new Failure("not_confirmed", { cause: "a file larger than files are" });
        }
        controller.enqueue(next.value);
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
}
