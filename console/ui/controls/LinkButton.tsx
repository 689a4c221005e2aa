import Button, { type ButtonProps } from '@mui/material/Button';
import { Link } from '../link';

/** A link that looks like a button: for going somewhere, never for doing something. */
export function LinkButton({ href, ...rest }: Omit<ButtonProps, 'href'> & { href: string }) {
  return <Button component={Link} href={href} {...rest} />;
}
