import { createHash } from "node:crypto";
import { FILE_NAME_HEADER } from "../../shared/attachment.ts";
import { Failure } from "../../shared/errors.ts";
import { MAX_ATTACHMENT_BYTES } from "../../shared/limits.ts";
import type { Clock } from "../../shared/server/clock.ts";
import { attachmentContent, attachments } from "../../shared/v1/attachments.ts";
import type { Upload } from "../gate/upload.ts";
import type { OpenStream, UpstreamClient } from "./client.ts";

/**
 * Passes a file on to the service as it comes, and hashes what goes out: the answer must name these bytes.
 * A file can be passed on once: whoever tries again sends it again.
 */
export function keepServiceFile(
  upstream: UpstreamClient,
  file: { serviceToken: string; conversationId: string; upload: Upload },
) {
  const { serviceToken, conversationId, upload } = file;
  const measured = measure(upload.bytes);
  return upstream.call(attachments, {
    params: { id: conversationId },
    token: serviceToken,
    idempotencyKey: upload.key,
    file: {
      bytes: measured.bytes,
      sent: measured.result,
      headers: {
        "content-type": "application/octet-stream",
        [FILE_NAME_HEADER]: upload.fileName,
        ...(upload.size === undefined ? {} : { "content-length": String(upload.size) }),
      },
    },
  });
}

/** Opens a file of a conversation; its type is one of those that are taken, or it is not believed. */
export function openServiceFile(
  upstream: UpstreamClient,
  file: { serviceToken: string; conversationId: string; attachmentId: string },
  signal: AbortSignal,
): Promise<OpenStream> {
  const { serviceToken, conversationId, attachmentId } = file;
  return upstream.open(
    attachmentContent,
    { params: { id: conversationId, attachmentId }, token: serviceToken },
    signal,
  );
}

/** How long a browser may take over a file; one that does not read would else hold two connections for ever. */
const DOWNLOAD_MS = 130_000;

/** The bytes of an opened file for a browser: no more than a file may have, and its line ends with its reader, or in time. */
export function bodyOf(file: OpenStream, clock: Pick<Clock, "after">): ReadableStream<Uint8Array> {
  const chunks = file.body[Symbol.asyncIterator]();
  let size = 0;
  let cancel = (): void => undefined;
  const leave = () => {
    cancel();
    file.close();
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        cancel = clock.after(DOWNLOAD_MS, () => {
          file.close();
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

function measure(bytes: AsyncIterable<Uint8Array>) {
  const hash = createHash("sha256");
  let size = 0;
  let result: { readonly size: number; readonly sha256: string } | undefined;
  return {
    bytes: (async function* () {
      for await (const chunk of bytes) {
        size += chunk.byteLength;
        hash.update(chunk);
        yield chunk;
      }
      result = { size, sha256: hash.digest("hex") };
    })(),
    /** Undefined until all of it went out. */
    result: () => result,
  };
}
