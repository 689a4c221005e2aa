import { PasswordInput } from '../../ui/forms/PasswordInput';
import { newPasswordFault, PASSWORD_MAX, PASSWORD_MIN } from './fields';
import { useCapsLock } from './useCapsLock';

interface Props {
  label?: string;
  value: string;
  onChange: (password: string) => void;
  /** Whether the form was sent once: before that nothing typed so far is wrong yet. */
  tried: boolean;
  /** What the server had against it. */
  refusal?: string | undefined;
  autoFocus?: boolean;
}

/** A password that is chosen now, with how much is still missing. */
export function NewPasswordInput({ label = 'Password', value, onChange, tried, refusal, autoFocus }: Props) {
  const capsLock = useCapsLock();
  const fault = newPasswordFault(value);
  const error = tried ? (fault ?? refusal) : undefined;
  const hint =
    value === '' || fault === undefined
      ? `At least ${PASSWORD_MIN} characters. A few words are easier to remember than signs.`
      : fault;
  return (
    <PasswordInput
      label={label}
      name="new-password"
      autoComplete="new-password"
      maxLength={PASSWORD_MAX}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={error}
      help={capsLock.on ? 'Caps Lock is on.' : error === undefined ? hint : undefined}
      {...(autoFocus ? { autoFocus } : {})}
      {...capsLock.props}
    />
  );
}
