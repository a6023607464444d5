import { answerCheck } from '../platform/process/check.ts';
import { readConfig } from './config.ts';

if (!answerCheck(readConfig, process.env)) await import('./serve.ts');
