import { declareRuns, useExampleService } from '../example-runs.ts';

useExampleService();
declareRuns((runs) => runs);
