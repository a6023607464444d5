// `npm run try`: calls the API as a new user.
import { runAsMain } from '../terminal/main.ts';
import { runTry } from './try.ts';

await runAsMain(() => runTry(process.argv.slice(2), { environment: process.env, say: (line) => console.log(line) }));
