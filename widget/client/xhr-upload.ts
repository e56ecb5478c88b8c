/** Sends a file and reports its progress, which `fetch` can't. Rejects if nothing answered. */
export type Upload = (
  path: string,
  options: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Blob;
    readonly signal: AbortSignal;
    /** From 0 to 1. */
    readonly onProgress: (share: number) => void;
  },
) => Promise<Response>;

/** A little longer than a server waits for a slow file, so that the server itself reports the outcome. */
const UPLOAD_MS = 130_000;

/** Answers that may have no body. */
const EMPTY = [204, 205, 304];

/**
 * The only use of XMLHttpRequest: nothing else in a browser reports the progress of an upload. Without an answer it
 * rejects with the result of `failure`.
 */
export const uploadByXhr =
  (failure: (code: "support_unreachable" | "support_timeout") => Error): Upload =>
  (path, { headers, body, signal, onProgress }) =>
    new Promise((resolve, reject) => {
      const xhr = new XMLHttpRequest();
      const fail = (code: "support_unreachable" | "support_timeout") => () => reject(failure(code));
      xhr.open("POST", path);
      for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
      xhr.timeout = UPLOAD_MS;
      xhr.responseType = "blob";
      xhr.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
      xhr.onerror = fail("support_unreachable");
      xhr.onabort = fail("support_unreachable");
      xhr.ontimeout = fail("support_timeout");
      xhr.onload = () => {
        const { status } = xhr;
        // It follows redirects silently, and another address's answer does not count.
        const isElsewhere = new URL(xhr.responseURL, location.href).pathname !== path;
        if (isElsewhere) return fail("support_unreachable")();
        const known: Record<string, string> = {};
        for (const name of ["content-type", "retry-after"]) known[name] = xhr.getResponseHeader(name) ?? "";
        resolve(new Response(EMPTY.includes(status) ? null : xhr.response, { status, headers: known }));
      };
      signal.addEventListener("abort", () => xhr.abort());
      xhr.send(body);
    });
