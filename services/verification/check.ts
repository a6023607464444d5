import { printFaults } from '../platform/process/check.ts';
import { readConfig } from './config.ts';

printFaults(readConfig, process.env);
