import { printFaults } from '../platform/process/check.ts';
import { readConfig, VerificationConfig } from './config.ts';

printFaults(readConfig, VerificationConfig, process.env);
