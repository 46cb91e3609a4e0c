CREATE TABLE "bots"."keys" (
	"id" text PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"exchange" text NOT NULL,
	"label" text NOT NULL,
	"last_four" text NOT NULL,
	"sealed" text NOT NULL,
	"permissions" jsonb NOT NULL,
	"checked_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "keys_owner_label" UNIQUE("owner","label")
);
--> statement-breakpoint
ALTER TABLE "bots"."bots" ADD COLUMN "key_id" text;--> statement-breakpoint
ALTER TABLE "bots"."bots" ADD COLUMN "allotment" text;--> statement-breakpoint
ALTER TABLE "bots"."bots" ADD CONSTRAINT "bots_key_id_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "bots"."keys"("id") ON DELETE no action ON UPDATE no action;