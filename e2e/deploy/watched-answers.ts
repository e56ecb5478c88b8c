/** In a scratch machine: the file that gets a line for each answer at `/v1` that `/v1/openapi.json` does not describe. */
const FOLDER = "/run/answers";
const REPORT = `${FOLDER}/deviations`;

/** The commands that make the folder of the report in a machine, or in the root of an image there. Any user may write to it. */
export const makeReport = (root = ""): string =>
  root === ""
    ? `install -d -m 1777 ${FOLDER}`
    : `mkdir -p ${root}${FOLDER}; mountpoint -q ${root}${FOLDER} || mount --bind ${FOLDER} ${root}${FOLDER}`;

/** `NODE_OPTIONS` for a program that runs from the folder `sources`: every answer of its service is compared. */
export const watchedBy = (sources: string): string =>
  `--import=file://${sources}/service/testing/watched-main.js?report=${encodeURIComponent(REPORT)}`;

/** The deviations since the last call, a line each; empty if there are none. */
export function takeDeviations(machine: { run(commands: string): string }): string {
  return machine.run(`[ ! -e ${REPORT} ] || { cat ${REPORT}; rm ${REPORT}; }`);
}
