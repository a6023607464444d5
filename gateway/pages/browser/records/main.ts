import { openRecordForm } from '../page/record-form.ts';
import { showExecution } from './show-execution.ts';
import { showPlan } from './show-plan.ts';

// Pages of plans and executions.

openRecordForm((folder) => (folder === 'plans' ? showPlan : showExecution));
