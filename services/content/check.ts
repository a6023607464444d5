import { printFaults } from '../platform/process/check.ts';
import { ContentConfig, readConfig } from './config.ts';

printFaults(readConfig, ContentConfig, process.env);
