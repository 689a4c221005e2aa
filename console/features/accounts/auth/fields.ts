export {
  EMAIL_MAX,
  emailFault,
  newPasswordFault,
  PASSWORD_MAX,
  PASSWORD_MIN,
} from '../../../lib/accounts/credentials';
