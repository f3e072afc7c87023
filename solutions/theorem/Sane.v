(** * The statement says something

    The theorem does not rest on what is here. These lemmas show that [reaches] is not true of
    everything: nobody wins a full board, or holds against two threats, and above all the two
    players cannot both have their way. *)
From Coq Require Import ZArith List Lia.
From ConnectFour Require Import Game.
Import ListNotations.
Open Scope Z_scope.

Section Board.
Variables width height : Z.
Notation playable := (playable width height).
Notation reaches := (reaches width height).

(** To win, one needs a square to play on. *)
Lemma nobody_wins_a_full_board mine yours :
  reaches win mine yours -> exists s, playable mine yours s.
Proof. intro W. inversion W; [eauto|eauto|discriminate]. Qed.

Lemma still_playable mine yours s t :
  playable mine yours t -> s <> t -> playable (s :: mine) yours t.
Proof.
  destruct t as [c r]. intros (C & R & N & U) D. repeat split; try lia; simpl; [|tauto].
  intros [E|I]; auto.
Qed.

(** Two threats of yours at once: unless I complete a line now, I do not even draw. *)
Lemma nobody_survives_two_threats goal mine yours t u :
  playable mine yours t -> playable mine yours u -> t <> u ->
  four (t :: yours) -> four (u :: yours) ->
  (forall s, playable mine yours s -> ~ four (s :: mine)) -> ~ reaches goal mine yours.
Proof.
  intros Pt Pu D Ft Fu N W. destruct W as [m y s P F|m y s P _ A|m y _ F].
  - exact (N s P F).
  - assert (E : {s = t} + {s <> t}) by (repeat decide equality). destruct E as [->|E].
    + exact (proj1 (A u (still_playable _ _ _ _ Pu D)) Fu).
    + exact (proj1 (A t (still_playable _ _ _ _ Pt E)) Ft).
  - exact (F t Pt).
Qed.

Lemma playable_for_both mine yours s : playable mine yours s <-> playable yours mine s.
Proof. destruct s. unfold Game.playable. rewrite !in_app_iff. tauto. Qed.

(** If I win, whoever answers my moves does not hold. *)
Lemma only_one_of_us mine yours : reaches win mine yours ->
  ~ forall s, playable mine yours s -> ~ four (s :: mine) /\ reaches hold yours (s :: mine).
Proof.
  revert mine yours. fix IH 3. intros mine yours W A.
  destruct W as [m y s P F|m y s P [E|[t0 T0]] B|m y E _]; try discriminate.
  - exact (proj1 (A s P) F).
  - destruct (A s P) as [_ H]. inversion_clear H as [? ? t T F|? ? t T _ C|? ? _ F].
    + apply playable_for_both in T. exact (proj1 (B t T) F).
    + apply playable_for_both in T. destruct (B t T) as [_ W]. apply (IH _ _ W). intros u U.
      apply C. now apply playable_for_both.
    + apply (F t0). now apply playable_for_both.
Qed.

Lemma one_disc_is_no_four s : ~ four [s].
Proof.
  intros (c & r & dc & dr & D & [->|[]] & [E|[]] & _). injection E.
  destruct D as [D|[D|[D|[D|[]]]]]; inversion D; lia.
Qed.

(** So a win of one player says that the other one cannot even draw. *)
Theorem first_or_second :
  first_player_can width height win -> ~ second_player_can width height hold.
Proof. intros W H. apply (only_one_of_us _ _ W). eauto using one_disc_is_no_four. Qed.

Theorem second_or_first : 1 <= width -> 1 <= height ->
  second_player_can width height win -> ~ first_player_can width height hold.
Proof.
  intros Wd Ht W H. inversion_clear H as [? ? s P F|? ? s P _ A|? ? _ F].
  - now apply one_disc_is_no_four in F.
  - apply (only_one_of_us _ _ (W s P)). auto.
  - apply (F (1, 1)). repeat split; auto; lia.
Qed.
End Board.
