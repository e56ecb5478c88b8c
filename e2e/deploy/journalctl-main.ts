import { readFileSync } from "node:fs";

// Stands in for `journalctl --unit NAME`: prints what `systemctl-main.ts` wrote.
process.stdout.write(readFileSync(`/run/units/${process.argv[3]}.log`));
