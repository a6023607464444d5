import { printFaults } from '../platform/process/check.ts';
import { PaymentsEnvironment, readConfig } from './config.ts';

printFaults(readConfig, PaymentsEnvironment, process.env);
