import styled from '@emotion/styled';
import { useId, type ComponentPropsWithRef } from 'react';
import { color, focusRing, motion, radius, size, space, type } from '../theme';
import { describedBy, FieldError, Help, type FieldProps } from './Field';

const Box = styled('div')({
  display: 'grid',
  gridTemplateColumns: 'auto minmax(0, 1fr)',
  columnGap: space(2.5),
  rowGap: space(0.5),
  alignItems: 'start',
  '& > :nth-of-type(n)': { minWidth: 0 },
});
const Text = styled('label')({ ...type.body, color: color.text, cursor: 'pointer' });
const Under = styled('div')({ gridColumn: 2 });

const Switch = styled('input')({
  appearance: 'none',
  position: 'relative',
  width: 32,
  height: 18,
  margin: '1px 0',
  borderRadius: 9,
  border: `1px solid ${color.control}`,
  backgroundColor: color.surface,
  cursor: 'pointer',
  transition: `background-color ${motion.fast}, border-color ${motion.fast}`,
  '&::after': {
    content: '""',
    position: 'absolute',
    top: 2,
    left: 2,
    width: 12,
    height: 12,
    borderRadius: 6,
    backgroundColor: color.control,
    transition: `transform ${motion.fast}`,
  },
  '&:checked': { backgroundColor: color.accent, borderColor: color.accent },
  '&:checked::after': { transform: 'translateX(14px)', backgroundColor: color.onAccent },
  '&:disabled, &[aria-disabled="true"]': { opacity: 0.5, cursor: 'not-allowed' },
  '&:focus-visible': focusRing,
});

const Box16 = styled('input')({
  appearance: 'none',
  width: 16,
  height: 16,
  margin: '2px 0',
  borderRadius: radius.small,
  border: `1px solid ${color.control}`,
  backgroundColor: color.surface,
  cursor: 'pointer',
  display: 'grid',
  placeContent: 'center',
  '&::after': {
    content: '""',
    width: 9,
    height: 5,
    marginTop: -2,
    borderLeft: `2px solid ${color.onAccent}`,
    borderBottom: `2px solid ${color.onAccent}`,
    transform: 'rotate(-45deg)',
    opacity: 0,
  },
  '&:checked': { backgroundColor: color.accent, borderColor: color.accent },
  '&:checked::after': { opacity: 1 },
  '&:disabled, &[aria-disabled="true"]': { opacity: 0.5, cursor: 'not-allowed' },
  '&:focus-visible': focusRing,
});

interface Props extends Omit<FieldProps, 'optional'>, Omit<ComponentPropsWithRef<'input'>, 'type' | 'role'> {
  /** Whether a change is being saved: it ignores clicks, but unlike with `disabled` keeps the focus. */
  pending?: boolean;
}

/** React then restores the value. */
const ignore = () => undefined;

function Toggle({
  control: Control,
  as,
  label,
  help,
  error,
  id: given,
  pending = false,
  onChange,
  ...rest
}: Props & { control: typeof Switch; as?: 'switch' }) {
  const own = useId();
  const id = given ?? own;
  return (
    <Box>
      <Control
        {...rest}
        {...(as ? { role: as } : {})}
        type="checkbox"
        id={id}
        aria-disabled={pending || undefined}
        onChange={pending ? ignore : onChange}
        {...(error ? { 'aria-invalid': true } : {})}
        {...describedBy(error !== undefined && `${id}-error`, help !== undefined && `${id}-help`)}
      />
      <Text htmlFor={id}>{label}</Text>
      {(help !== undefined || error !== undefined) && (
        <Under style={{ maxWidth: size.reading }}>
          {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
          {help !== undefined && <Help id={`${id}-help`}>{help}</Help>}
        </Under>
      )}
    </Box>
  );
}

/** On or off, applied immediately or on save. */
export const SwitchInput = (props: Props) => <Toggle control={Switch} as="switch" {...props} />;

/** A consent, or one of several options. */
export const CheckboxInput = (props: Props) => <Toggle control={Box16} {...props} />;
