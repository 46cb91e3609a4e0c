CREATE TABLE "bots"."asset_units" (
	"venue" text NOT NULL,
	"pair" text NOT NULL,
	"decimals" integer NOT NULL,
	CONSTRAINT "asset_units_venue_pair_pk" PRIMARY KEY("venue","pair")
);
