import { statusInfo } from './status';
import { ToneChip } from './ToneChip';

/** A status as color, icon and word. `detail` follows the word ("Starting · pulling image"). */
export function StatusChip({
  status,
  detail,
  quiet,
  title,
  word: own,
}: {
  status: string;
  detail?: string;
  quiet?: boolean;
  title?: string;
  /** Overrides the usual word for the status. */
  word?: string;
}) {
  const { tone, glyph, word: usual } = statusInfo(status);
  const word = own ?? usual;
  return (
    <ToneChip
      tone={tone}
      glyph={glyph}
      {...(quiet === undefined ? {} : { quiet })}
      {...(title === undefined ? {} : { title })}
    >
      {detail === undefined ? word : `${word} · ${detail}`}
    </ToneChip>
  );
}
