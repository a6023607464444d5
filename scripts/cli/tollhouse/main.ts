// The operator's command line.
import { endWithReader } from '../end-with-reader.ts';
import { reportOf, runTollhouse } from './tollhouse.ts';

endWithReader();

try {
  await runTollhouse(process.argv.slice(2), { environment: process.env, say: (line) => console.log(line) });
} catch (error) {
  const { message, exitCode } = reportOf(error);
  console.error(message);
  process.exitCode = exitCode;
}
