import CheckRounded from '@mui/icons-material/CheckRounded';
import ContentCopyRounded from '@mui/icons-material/ContentCopyRounded';
import PriorityHighRounded from '@mui/icons-material/PriorityHighRounded';
import Button from '@mui/material/Button';
import { color } from '../theme';
import { useCopy } from './copy';
import { IconAction } from './IconAction';

interface Props {
  text: string;
  /** What is copied, for the accessible name: "Copy app id". */
  what: string;
  /** With a label the button shows the word "Copy"; without, only the icon. */
  labelled?: boolean;
}

export function CopyButton({ text, what, labelled = false }: Props) {
  const [state, copy] = useCopy(text);
  const Icon =
    state === 'copied' ? CheckRounded : state === 'refused' ? PriorityHighRounded : ContentCopyRounded;
  if (labelled) {
    return (
      <Button size="small" variant="text" startIcon={<Icon />} onClick={copy} aria-label={`Copy ${what}`}>
        {state === 'copied' ? 'Copied' : state === 'refused' ? 'Refused' : 'Copy'}
      </Button>
    );
  }
  return (
    <IconAction
      size="small"
      label={`Copy ${what}`}
      onClick={copy}
      style={state === 'copied' ? { color: color.okText } : undefined}
    >
      <Icon />
    </IconAction>
  );
}
