import { printFaults } from '../platform/process/check.ts';
import { BackofficeConfig, readConfig } from './config.ts';

printFaults(readConfig, BackofficeConfig, process.env);
