-- Rows of the audit are only added. Where somebody was is blanked when they are erased; nothing else of a row ever changes.
CREATE FUNCTION "accounts"."audit_only_grows"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF NEW.address = '' AND to_jsonb(NEW) - 'address' = to_jsonb(OLD) - 'address' THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'rows of accounts.audit are only added';
END;
$$;
--> statement-breakpoint
CREATE TRIGGER "audit_only_grows" BEFORE UPDATE OR DELETE ON "accounts"."audit" FOR EACH ROW EXECUTE FUNCTION "accounts"."audit_only_grows"();
--> statement-breakpoint
CREATE TRIGGER "audit_is_not_emptied" BEFORE TRUNCATE ON "accounts"."audit" FOR EACH STATEMENT EXECUTE FUNCTION "accounts"."audit_only_grows"();