import { LEDGER_FUNCTIONS } from '../../store/ledger-functions.ts';

/** The schema of this release's functions, which `migrate` installs. */
export const FUNCTIONS_SCHEMA = LEDGER_FUNCTIONS;
