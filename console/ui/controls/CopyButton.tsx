import CheckIcon from 'lucide-react/icons/check';
import CopyIcon from 'lucide-react/icons/copy';
import TriangleAlertIcon from 'lucide-react/icons/triangle-alert';
import { Button } from './Button';
import { color } from '../theme';
import { useCopy } from './copy';
import { IconAction } from './IconAction';

interface Props {
  text: string;
  /** What is copied, for the accessible name: "Copy app ID". */
  what: string;
  /** Shows the word "Copy" instead of only the icon. */
  labelled?: boolean;
}

export function CopyButton({ text, what, labelled = false }: Props) {
  const [state, copy] = useCopy(text);
  const Icon = state === 'copied' ? CheckIcon : state === 'refused' ? TriangleAlertIcon : CopyIcon;
  if (labelled) {
    return (
      <Button size="small" variant="text" startIcon={<Icon />} onClick={copy} aria-label={`Copy ${what}`}>
        {state === 'copied' ? 'Copied' : state === 'refused' ? 'Blocked' : 'Copy'}
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
