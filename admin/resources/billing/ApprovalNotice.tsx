import { Notice } from '../../../console/ui/feedback/Notice';
import { Note } from './noticeStyles';

interface Props {
  /** Whether submitting the form only requests approval. */
  waits: boolean;
  text: string;
}

/** Says whether a form's action needs another administrator's approval: prominently if so. */
export const ApprovalNotice = ({ waits, text }: Props) =>
  waits ? (
    <Notice tone="attention" title="Needs approval">
      {text}
    </Notice>
  ) : (
    <Note>{text}</Note>
  );
