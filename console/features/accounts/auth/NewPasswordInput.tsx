import { PasswordInput } from '../../../ui/forms/PasswordInput';
import { newPasswordFault, PASSWORD_MAX, PASSWORD_MIN } from './fields';
import { useCapsLock } from './useCapsLock';

interface Props {
  label?: string;
  value: string;
  onChange: (password: string) => void;
  /** Whether the form was submitted once. Errors are hidden before that. */
  tried: boolean;
  /** The server's error for this field. */
  refusal?: string | undefined;
  autoFocus?: boolean;
}

/** Input for a new password, with the number of characters still missing. */
export function NewPasswordInput({ label = 'Password', value, onChange, tried, refusal, autoFocus }: Props) {
  const capsLock = useCapsLock();
  const fault = newPasswordFault(value);
  const error = tried ? (fault ?? refusal) : undefined;
  const hint =
    value === '' || fault === undefined
      ? `At least ${PASSWORD_MIN} characters. A few words are easier to remember than symbols.`
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
