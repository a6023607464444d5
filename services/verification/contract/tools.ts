/** Names of the tools of verified execution, in the order of their list. */
export const TOOL_NAMES = [
  'svc_status',
  'crm_list_users',
  'svc_create_plan',
  'svc_read_plan',
  'svc_explain_plan',
  'svc_approve_plan',
  'svc_preflight_action',
  'svc_reserve_action',
  'svc_verify_plan_alignment',
  'svc_verify_constraints',
  'svc_record_execution',
  'svc_submit_evidence',
  'svc_verify_execution',
  'svc_get_proof',
  'svc_exact_select',
  'svc_tool_list',
  'svc_tool_get',
  'svc_create_table',
  'svc_sheet_list',
  'svc_sheet_get',
  'svc_sheet_compose',
] as const;

export type ToolName = (typeof TOOL_NAMES)[number];
