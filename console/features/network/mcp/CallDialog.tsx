import type { McpTool } from '../../../../generated/api/types.gen';
import { ConfirmDialog } from '../../../ui/feedback/ConfirmDialog';
import { CallSummary } from './CallSummary';

interface Props {
  tool: McpTool;
  /** Name of the CVM that the server runs on. */
  cvm: string;
  args: Readonly<Record<string, unknown>>;
  onConfirm: () => void;
  onClose: () => void;
}

/** Confirms a call that may delete or overwrite data. */
export function CallDialog({ tool, cvm, args, onConfirm, onClose }: Props) {
  return (
    <ConfirmDialog
      open
      danger
      title={`Call ${tool.name} on ${cvm}?`}
      confirmLabel="Call tool"
      pending={false}
      problem={null}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <CallSummary hint={tool.destructive_hint} args={args} />
    </ConfirmDialog>
  );
}
