import { Notice } from '../../../console/ui/feedback/Notice';
import { Note } from './noticeStyles';

interface Props {
  /** Whether sending the form only asks for an approval. */
  waits: boolean;
  text: string;
}

/** Says whether another administrator has to approve what a form is about to do: prominently if so. */
export const ApprovalNotice = ({ waits, text }: Props) =>
  waits ? (
    <Notice tone="attention" title="Needs approval">
      {text}
    </Notice>
  ) : (
    <Note>{text}</Note>
  );
