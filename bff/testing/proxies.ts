import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { newFolder } from "./bff-process.ts";
import { freePort } from "./free-port.ts";
import { findProxy } from "./proxy-programs.ts";

/** A proxy for `target`, closed after the test. Returns its origin. */
export type StartProxy = (target: string, options: { ignoreHeader: boolean }) => Promise<string>;

/**
 * nginx with its defaults: only its port and its target are set.
 *
 * @throws Error if this machine has no nginx, because a skipped check must not look like a passed one
 */
export const startNginx: StartProxy = async (target, { ignoreHeader }) => {
  const program = findProxy("nginx");
  if (!program) throw new Error("There is no nginx here. On Debian: apt-get install nginx");
  const folder = newFolder();
  const port = await freePort();
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join(" ");
  writeFileSync(
    join(folder, "nginx.conf"),
    `pid ${join(folder, "pid")}; error_log stderr; events {}
     http { access_log off; ${temporary}
       server { listen 127.0.0.1:${port};
         location / { proxy_pass ${target}; ${ignoreHeader ? "proxy_ignore_headers X-Accel-Buffering;" : ""} } } }`,
  );
  const args = ["-c", join(folder, "nginx.conf"), "-p", folder, "-g", "daemon off;"];
  const nginx = spawn(program, args, { stdio: "ignore" });
  onTestFinished(async () => {
    nginx.kill("SIGTERM");
    await once(nginx, "close");
  });
  const url = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${url}/livez`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await answers())) {
    if (nginx.exitCode !== null) throw new Error("nginx ended before it answered.");
  }
  return url;
};

/** Our own proxy that buffers every answer completely, unless the answer's header forbids it. */
export const startBufferingProxy: StartProxy = async (target, { ignoreHeader }) => {
  const server = createServer((incoming, outgoing) => {
    const onward = request(
      `${target}${incoming.url ?? ""}`,
      { method: incoming.method ?? "GET", headers: incoming.headers },
      (answer) => {
        const isPassedOn = !ignoreHeader && answer.headers["x-accel-buffering"] === "no";
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        outgoing.flushHeaders();
        const kept: Buffer[] = [];
        answer.on("data", (bytes: Buffer) => {
          if (isPassedOn) outgoing.write(bytes);
          else kept.push(bytes);
        });
        answer.on("end", () => outgoing.end(Buffer.concat(kept)));
        answer.on("error", () => outgoing.destroy());
      },
    );
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  });
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}`;
};
