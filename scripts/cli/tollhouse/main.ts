// The command line of sellers, operators, tenants and authors of plans.
import { runAsMain } from '../terminal/main.ts';
import { runTollhouse } from './tollhouse.ts';

await runAsMain(() =>
  runTollhouse(process.argv.slice(2), { environment: process.env, say: (line) => console.log(line) }),
);
