/** The input of the setup link's form. */
import { z } from "zod";
import { name } from "../../kit/input/name.ts";
import { locationCountry, locationZone } from "../locations/location.schema.ts";
import { newPassword } from "../passwords/password.schema.ts";
import { emailInput } from "../users/user.schema.ts";

export const setupForm = z.object({
  email: emailInput,
  name: name(),
  password: newPassword,
  workspace: name(),
  location: name(),
  timezone: locationZone,
  country: locationCountry,
});

export type SetupForm = z.output<typeof setupForm>;
