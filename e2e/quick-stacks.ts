/**
 * Playwright takes a stack for each call and each expectation, to name its line in a report, and looks up every frame in
 * source maps. That took a third of its worker's processor time for a call; only the frames of our own files have a map.
 */
const mapFrames = Error.prepareStackTrace?.bind(Error);

/** V8's own text of a frame, such as "f (file:1:2)". */
const plain = (frame: unknown) => String(frame);

if (mapFrames)
  Error.prepareStackTrace = (error, frames) => {
    const head = `${error.name || "Error"}: ${error.message || ""}`;
    const lines = frames.map((frame) => {
      const file = frame.getFileName() ?? "node:";
      if (!file.startsWith("node:") && !file.includes("/node_modules/"))
        return String(mapFrames(error, [frame])).slice(head.length);
      // Playwright's parser would take "async" for a part of the file's name.
      return `\n    at ${plain(frame).replace(/^async /, "")}`;
    });
    return head + lines.join("");
  };
