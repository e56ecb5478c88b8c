import { parse } from "yaml";
import * as z from "zod/mini";

/** The attributes of a container that the example uses. Any other is refused, so that a slip is noticed. */
const Container = z.strictObject({
  image: z.string(),
  build: z.optional(z.strictObject({ context: z.string(), dockerfile: z.string() })),
  command: z.optional(z.string()),
  init: z.optional(z.boolean()),
  network_mode: z.optional(z.string()),
  restart: z.enum(["no", "always", "on-failure", "unless-stopped"]),
  stop_grace_period: z.optional(z.string()),
  ports: z.optional(z.array(z.string())),
  environment: z.optional(z.record(z.string(), z.string())),
  depends_on: z.optional(z.array(z.string())),
  volumes: z.optional(z.array(z.string())),
  secrets: z.optional(z.array(z.string())),
});
export type Container = z.infer<typeof Container>;

const ComposeFile = z.strictObject({
  // Parts that containers repeat. They count only where they are merged in.
  "x-parley": z.unknown(),
  "x-bff": z.unknown(),
  services: z.record(z.string(), Container),
  secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
  volumes: z.record(z.string(), z.strictObject({})),
});
export type ComposeFile = z.infer<typeof ComposeFile>;

/**
 * Reads a Compose file, with its anchors and merges.
 * @throws Error for what is not YAML, and for an attribute or a type that the example does not use
 */
export function parseCompose(text: string): ComposeFile {
  return ComposeFile.parse(parse(text, { merge: true }));
}

/** The containers that run our image, by name. */
export function ownContainers({ services }: ComposeFile): [name: string, container: Container][] {
  return Object.entries(services).filter(([, { image }]) => image === "parley");
}

/** One sentence for each name that leads nowhere, and for each volume or secret that no container has. */
export function danglingNames({ services, secrets, volumes }: ComposeFile): string[] {
  const containers = Object.entries(services);
  const mounts = containers.flatMap(([, { volumes: mounted = [] }]) =>
    mounted.map((mount) => mount.split(":")[0] ?? ""),
  );
  const named = mounts.filter((source) => !source.startsWith("."));
  const wanted = containers.flatMap(([, container]) => container.secrets ?? []);
  const others = containers.flatMap(([, { depends_on = [], network_mode = "" }]) => [
    ...depends_on,
    ...(/^service:(.*)$/.exec(network_mode)?.slice(1) ?? []),
  ]);
  const faults = (kind: string, asked: readonly string[], given: readonly string[]) => [
    ...asked.filter((name) => !given.includes(name)).map((name) => `There is no ${kind} ${name}.`),
    ...given.filter((name) => !asked.includes(name)).map((name) => `Nothing uses the ${kind} ${name}.`),
  ];
  return [
    ...others.filter((name) => !(name in services)).map((name) => `There is no container ${name}.`),
    ...faults("volume", named, Object.keys(volumes)),
    ...faults("secret", wanted, Object.keys(secrets)),
  ];
}
