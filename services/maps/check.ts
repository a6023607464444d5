import { printFaults } from '../platform/process/check.ts';
import { MapsEnvironment, readConfig } from './config.ts';

printFaults(readConfig, MapsEnvironment, process.env);
