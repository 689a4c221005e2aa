import { statusInfo } from './status';
import { ToneChip } from './ToneChip';

/** The state of a thing: colour, icon and word together. `detail` follows the word ("Starting · pulling image"). */
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
  /** What this kind of thing calls the state, if not by the usual word. */
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
