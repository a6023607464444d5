import { printFaults } from '../services/platform/process/check.ts';
import { checkConfig, GatewayConfig } from './config/config.ts';

// Whether payments are play money, the payments service says. Here nothing is asked.
const isSandbox = process.argv.includes('--sandbox');
printFaults((environment) => checkConfig(environment, isSandbox), GatewayConfig, process.env);
